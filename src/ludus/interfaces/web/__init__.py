"""The arena: a page on which people play trained players, see why they moved and watch them learn (`ludus serve`)."""
