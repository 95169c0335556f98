/** Says what is wrong with a field of a configuration, such as `recipients.1`. */
export type Say = (field: string, sentence: string) => void;

/** What was sent masked, where nothing is stored that it could stand for. */
export const nothingMasked = (mask: string): string => `There is no text that ${mask} could stand for.`;
