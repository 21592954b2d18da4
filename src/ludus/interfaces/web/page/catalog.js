// @ts-check
// The games there are; asked for once, since they change only with the server.

import { fetchGames } from "./api.js";

/** @import { GameType } from "./types.js" */

/** @type {ReturnType<typeof fetchGames> | null} */
let pending = null;

/** All game types, the one to suggest to a newcomer first. */
export async function allGames() {
  pending ??= fetchGames().catch((problem) => {
    pending = null; // else a server that was down once would be down for ever
    throw problem;
  });
  return (await pending).games;
}

/** @returns {Promise<(board: string) => string>} */
export const boardTitles = async () => boardTitle(await allGames());

/**
 * How people call the board of a game, its options after it.
 *
 * @param {GameType[]} games
 * @returns {(board: string) => string}
 */
export function boardTitle(games) {
  return (board) => {
    const [name, ...options] = board.split(":");
    const known = games.find(({ name: type, sizes }) =>
      sizes.length ? sizes.some((size) => type + size === name) : type === name,
    );
    if (!known) return board;
    const shape = known.shapes[known.sizes.findIndex((size) => known.name + size === name)];
    return [[known.title, shape].filter(Boolean).join(" "), ...options].join(", ");
  };
}
