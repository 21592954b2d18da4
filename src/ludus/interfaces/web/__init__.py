"""The arena: a page on which people play what was grown, see why it moved and watch it learn (`ludus serve`)."""
