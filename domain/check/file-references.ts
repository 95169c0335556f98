/** The prefix of a reference to a file of a run before the file is stored: `file:0`. */
export const STAGED = 'file:';
/** The prefix of a reference to a stored file in results. Responses contain a link instead, created when they are read. */
export const STORED = 'artifact:';
