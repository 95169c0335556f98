/** A sentence ends with a full stop, unless it ends with something else or goes on in lines below. */
export const sentence = (text: string): string => (/[.?!…]$/.test(text) || text.includes('\n') ? text : `${text}.`);

/** `3.5 s`; milliseconds */
export const seconds = (milliseconds: number): string => `${(Math.round(milliseconds / 100) / 10).toString()} s`;
