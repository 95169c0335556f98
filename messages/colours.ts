/** A colour as `#rrggbb`, in lower case. */
export type Colour = `#${string}`;

/** Parses `#RRGGBB` and `#RGB`. Returns null for any other text, so that untrusted text never gets into a style. */
export const readColour = (text: string | null): Colour | null => {
  const digits = /^#([\da-f]{6}|[\da-f]{3})$/i.exec(text ?? '')?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
};

/** Interpolates between two colours. A share of 0 gives the first colour, a share of 1 gives the second. */
export const mixed = (one: Colour, other: Colour, share: number): Colour => {
  const [from, to] = [channels(one), channels(other)];
  const between = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * share));
  return `#${between.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

/** Returns the contrast ratio of two colours, 1 to 21 (WCAG 2.2: contrast ratio). */
export const contrast = (one: Colour, other: Colour): number => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

export const isDark = (colour: Colour): boolean => luminance(colour) < 0.18;

const STEPS = 20;

/**
 * Returns the colour itself if it is readable on the background. Otherwise makes it darker or lighter until it is
 * readable.
 */
export const readable = (colour: Colour, background: Colour, ratio = 4.5): Colour =>
  legible(colour, [background], ratio);

/**
 * Returns the colour itself if it has the contrast ratio with each background. Otherwise returns a darker or lighter
 * colour that has this ratio. The first background decides whether the colour gets darker or lighter, so the other
 * backgrounds must be similar to the first background.
 */
export const legible = (colour: Colour, backgrounds: readonly [Colour, ...Colour[]], ratio: number): Colour => {
  const end = isDark(backgrounds[0]) ? '#ffffff' : '#000000';
  for (let step = 0; step < STEPS; step++) {
    const candidate = mixed(colour, end, step / STEPS);
    if (backgrounds.every((background) => contrast(candidate, background) >= ratio)) return candidate;
  }
  return end;
};

const channels = (colour: Colour): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Returns the relative luminance of a colour, from 0 (black) to 1 (white) (WCAG 2.2: relative luminance). */
const luminance = (colour: Colour): number => {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
