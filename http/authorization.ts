/** The key in an `Authorization` header, raw or after `Bearer`; null without one. */
export const keyOf = (authorization: string | undefined): string | null => {
  if (authorization === undefined) return null;
  const key = authorization.replace(/^bearer +/i, '').trim();
  return key === '' ? null : key;
};
