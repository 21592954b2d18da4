// @ts-check
// The games there are; asked for once, since they change only with the server.

import { fetchGames } from "./api.js";

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
