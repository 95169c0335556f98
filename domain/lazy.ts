/** Makes something at its first use, and keeps it. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
