/** Markdown as it was understood: blocks, and what stands in a line of them. */
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
  /** number of its first item; null: its items have none */
  start: number | null;
  /** whether there are blank lines between or in its items, whose texts are paragraphs then */
  loose: boolean;
  items: readonly Item[];
}

export interface Item {
  /** whether its box is ticked; null: it has no box */
  done: boolean | null;
  blocks: readonly Block[];
}

/** of a table */
export type Cell = readonly Inline[];

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'code'; text: string }
  | { type: 'em' | 'strong' | 'del'; inlines: readonly Inline[] }
  /** `href` as it was written, and may be linked (links.ts) */
  | { type: 'link'; href: string; inlines: readonly Inline[] }
  | { type: 'image'; href: string; label: string };
