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
  /** number of the first item; null: the list is unordered */
  start: number | null;
  /** whether blank lines separate items or occur in them. The texts of the items are then paragraphs */
  loose: boolean;
  items: readonly Item[];
}

export interface Item {
  /** whether the checkbox is ticked; null: there is no checkbox */
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
  /** `href`: the address as written. It has been verified to be safe to link (links.ts) */
  | { type: 'link'; href: string; inlines: readonly Inline[] }
  | { type: 'image'; href: string; label: string };
