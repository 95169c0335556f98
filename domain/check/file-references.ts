/** A file that a run has left, as its outcome names it before the file is stored: `file:0`. */
export const STAGED = 'file:';
/** A stored file, as results name it in the log: an answer has a link instead, made when it is read. */
export const STORED = 'artifact:';
