/** Reports an error in a field of a configuration, such as `recipients.1`. */
export type ProblemReporter = (field: string, sentence: string) => void;

/** The error message for a masked text that matches no stored text. */
export const noStoredText = (mask: string): string => `No stored text matches ${mask}. Send the whole text.`;
