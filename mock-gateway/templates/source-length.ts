/**
 * Longest source of a template, in characters (our decision). Apart from the engine, which a start
 * does not load.
 */
export const SOURCE_LENGTH = 64 * 1024
