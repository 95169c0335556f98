/** Shown instead of a text that the reader may not see. */
export const MASKED_TEXT = '********';
