/** Parsed Markdown: blocks and their inline content. */
export type Block =
  | { type: 'paragraph'; inlines: readonly Inline[] }
  | { type: 'heading'; level: number; inlines: readonly Inline[] }
  | { type: 'code'; text: string }
  | { type: 'quote'; blocks: readonly Block[] }
  | List
  | { type: 'table'; head: readonly Cell[]; rows: readonly (readonly Cell[])[] }
  | { type: 'rule' };

export interface List {
  type: 'list';
  /** number of the first item; null: an unordered list */
  start: number | null;
  /** whether blank lines separate or occur in items, whose texts are then paragraphs */
  loose: boolean;
  items: readonly Item[];
}

export interface Item {
  /** whether the box is ticked; null: no box */
  done: boolean | null;
  blocks: readonly Block[];
}

/** a table cell */
export type Cell = readonly Inline[];

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'code'; text: string }
  | { type: 'em' | 'strong' | 'del'; inlines: readonly Inline[] }
  /** `href` as written; it may be linked (links.ts) */
  | { type: 'link'; href: string; inlines: readonly Inline[] }
  | { type: 'image'; href: string; label: string };
