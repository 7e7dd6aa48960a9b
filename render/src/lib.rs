//! Board pictures: a description in, PNG bytes out. Knows shapes, not games.
