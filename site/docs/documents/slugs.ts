/**
 * Characters that GitHub drops from anchors: all except letters, digits, spaces, hyphens and connectors such as `_`.
 */
const DROPPED = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/**
 * Returns a function that creates the anchors of a document's headings in the same way as GitHub: `What's new?` →
 * `whats-new`. If an anchor already exists, a number is appended: `limits`, `limits-1`.
 *
 * @param reserved ids that the page itself uses
 */
export const createSlugs = (reserved: readonly string[] = []): ((heading: string) => string) => {
  const used = new Map<string, number>(reserved.map((id) => [id, 0]));
  return (heading) => {
    const slug = heading.toLowerCase().replace(DROPPED, '').replaceAll(' ', '-');
    let unique = slug;
    for (let count = used.get(slug) ?? 0; used.has(unique);) {
      count += 1;
      unique = `${slug}-${count}`;
      used.set(slug, count);
    }
    used.set(unique, used.get(unique) ?? 0);
    return unique;
  };
};
