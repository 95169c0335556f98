/** Shown instead of a text that the reader is not allowed to see. */
export const MASKED_TEXT = '********';
