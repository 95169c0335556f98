import { emptyDraft, type Draft, type Kind } from './draft.ts';

/** A stored draft. `seen`: ids of the updates that its author has seen; null: unknown. */
export interface StoredDraft {
  draft: Draft;
  seen: readonly string[] | null;
}

/** Parses a stored draft. Returns null if there is none, or if another release stored it in a different form. */
export const readDraft = (text: string | null, kind: Kind): StoredDraft | null => {
  if (text === null) return null;
  try {
    const { draft, seen } = JSON.parse(text) as Partial<StoredDraft>;
    const empty = emptyDraft(kind);
    const isReadable =
      typeof draft === 'object' &&
      (Object.keys(empty) as (keyof Draft)[]).every(
        (key) => key in draft && (empty[key] === null || typeof draft[key] === typeof empty[key]),
      );
    return isReadable ? { draft, seen: Array.isArray(seen) ? seen : null } : null;
  } catch {
    return null;
  }
};
