/** Stands for the link that ends a subscription. No other text in a message has this character: `clean` drops it. */
export const PLACE = '\u0001';

/** Makes a function that puts a receiver's link into a text, once what all receivers share is made. */
export const fillingIn = (text: string): ((address: string) => string) => {
  const pieces = text.split(PLACE);
  return (address) => pieces.join(address);
};
