/** The prefix of a reference to a file that a run produced and that is not stored yet: `file:0`. */
export const STAGED = 'file:';
/**
 * The prefix of a reference to a stored file. Stored results contain such references. API responses contain links
 * instead, which are created for each response.
 */
export const STORED = 'artifact:';
