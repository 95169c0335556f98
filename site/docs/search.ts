import type { DocsField, DocsSearchResult, DocsTopic } from '../../views/docs/model.ts';
import { OVERVIEW_SECTIONS } from '../../views/docs/overview.tsx';
import type { DocumentSection } from './documents/markdown.ts';

/** A searchable section. */
export interface Entry {
  hit: DocsSearchResult;
  /** identifies what the section describes. A search returns only one of several entries with the same key */
  key: string;
  /** heading and path, in lower case */
  heading: string;
  /** names and descriptions of fields, in lower case */
  content: string;
}

/** Returns the entries of a topic's page: its operations and objects. */
export const entriesOf = ({ name, title, operations, objects }: DocsTopic): Entry[] => {
  const topic = { name, title };
  return [
    ...operations.map((operation): Entry => {
      const { anchor, methods, path, pathParameters, queryParameters, body } = operation;
      const fields = [...pathParameters, ...queryParameters, ...(body?.value.fields ?? [])];
      const variants = body?.value.variants.flatMap((variant) => variant.fields) ?? [];
      return {
        hit: { topic, anchor, title: operation.title, call: { methods, path } },
        key: `${name}#${anchor}`,
        heading: [title, operation.title, ...methods, path].join(' ').toLowerCase(),
        content: [operation.summary, ...[...fields, ...variants].map(wordsOf)].join(' ').toLowerCase(),
      };
    }),
    ...objects.map((object): Entry => ({
      hit: { topic, anchor: object.anchor, title: `The object ${object.name}`, call: null },
      // The pages of several topics may show the same object. All its entries have the same key, so that a search
      // returns one of them.
      key: object.anchor,
      heading: object.name.toLowerCase(),
      content: object.value.fields.map(wordsOf).join(' ').toLowerCase(),
    })),
  ];
};

/** Returns the entries of the overview. */
export const overviewEntries = (): Entry[] =>
  OVERVIEW_SECTIONS.map(({ anchor, title, keywords }) => ({
    hit: { topic: { name: '', title: 'Overview' }, anchor, title, call: null },
    key: `#${anchor}`,
    heading: title.toLowerCase(),
    content: keywords,
  }));

/** Returns the entries of a document: its sections, with their headings and texts. */
export const documentEntries = (
  topic: { name: string; title: string },
  sections: readonly DocumentSection[],
): Entry[] =>
  sections.map(({ anchor, title, text }) => ({
    hit: { topic, anchor, title, call: null },
    key: `${topic.name}#${anchor}`,
    heading: `${topic.title} ${title}`.toLowerCase(),
    content: text.toLowerCase(),
  }));

const wordsOf = ({ name, text, values, fields }: DocsField): string =>
  [name, text ?? '', ...values, ...fields.map(wordsOf)].join(' ');

/** Maximum length of a query, in UTF-16 units. Longer queries are truncated. */
export const LONGEST_QUERY = 100;
const MOST_HITS = 40;

/**
 * Returns the sections that contain all words of a query, best match first. A section with a word in its heading ranks
 * above a section that only mentions the word. If several pages show the same object, only the section on the first of
 * these pages is returned.
 */
export const search = (entries: readonly Entry[], query: string): DocsSearchResult[] => {
  const words = query
    .slice(0, LONGEST_QUERY)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const scored = entries
    .map((entry, index) => ({ entry, index, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.index - other.index);
  const seen = new Set<string>();
  const hits: DocsSearchResult[] = [];
  for (const { entry } of scored) {
    const { hit, key } = entry;
    if (seen.has(key)) continue;
    seen.add(key);
    hits.push(hit);
    if (hits.length === MOST_HITS) break;
  }
  return hits;
};

/** Returns how well an entry matches the words: a higher number is better, and 0 means that a word is missing. */
const scoreOf = ({ heading, content }: Entry, words: readonly string[]): number => {
  let score = 0;
  for (const word of words) {
    const inHeading = heading.indexOf(word);
    if (inHeading === -1 && !content.includes(word)) return 0;
    // A heading begins with the title of its topic. A match at the beginning of a later word scores less, and a match
    // within a word even less.
    if (inHeading === 0) score += 5;
    else if (inHeading !== -1) score += /[^a-z0-9]/.test(heading[inHeading - 1] ?? '') ? 4 : 2;
    else score += 1;
  }
  return score;
};
