/** Values of a pattern's parameters. */
export type Params = Readonly<Record<string, string>>;

/**
 * Matches a path against a pattern. For example, `/checks/x4w8b2h7t1zq` matches `/checks/{check_id}`.
 *
 * @returns the values of the parameters; null if the path does not match
 */
export const match = (pattern: string, path: string): Params | null => {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined ? segment !== value : value === '') return null;
    if (name === undefined) continue;
    try {
      params[name] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return params;
};
