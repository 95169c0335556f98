/** The data of the documentation's pages, which site/docs/ reads from the OpenAPI document and the documents. */

/** A field of a request or response body, or a parameter. */
export interface DocsField {
  name: string;
  /** for readers: `list of strings`, `time or null` */
  type: string;
  /** the shared object that the value is or contains, which has its own section; null: none */
  object: string | null;
  required: boolean;
  /** description; text between backticks is code */
  text: string | null;
  /** constraints on values */
  rules: readonly string[];
  /** as JSON; null: none */
  initial: string | null;
  /** all possible values, as JSON without the quotes of strings; empty: not limited */
  values: readonly string[];
  /** of an object, or of the items of a list */
  fields: readonly DocsField[];
  /** the alternatives, if the value is one of several kinds of objects */
  variants: readonly DocsVariant[];
}

export interface DocsVariant {
  name: string;
  text: string | null;
  fields: readonly DocsField[];
}

/** A complete request or response body. */
export type DocsValue = Omit<DocsField, 'name' | 'required'>;

export interface DocsResponse {
  status: number;
  reason: string;
  /** media types of the body; empty: there is none */
  types: readonly string[];
  value: DocsValue | null;
}

/** The same request in one language. */
export interface DocsSample {
  /** `curl` */
  language: string;
  code: string;
}

/** Who may call an operation: keys and sessions of some roles; signed-in users; holders of a signed link; anybody. */
export type DocsAccess =
  | { kind: 'roles'; roles: readonly string[] }
  | { kind: 'session'; roles: readonly string[] }
  | { kind: 'link' }
  | { kind: 'anybody'; key: boolean };

export interface DocsOperation {
  /** `create-incident`; stable, because other pages link to it */
  anchor: string;
  /** in upper case; all of them do the same */
  methods: readonly string[];
  path: string;
  title: string;
  /** a sentence */
  summary: string;
  access: DocsAccess;
  idempotencyKey: 'optional' | 'required' | null;
  pathParameters: readonly DocsField[];
  queryParameters: readonly DocsField[];
  /** `sameAs`: the anchor of the operation whose fields it has, all optional, instead of `value` */
  body: { types: readonly string[]; required: boolean; value: DocsValue; sameAs: string | null } | null;
  responses: readonly DocsResponse[];
  /** status codes of errors */
  errors: readonly number[];
  samples: readonly DocsSample[];
  /** the example response, as indented JSON; null: no JSON */
  exampleResponse: { status: number; reason: string; json: string } | null;
}

/** A shared schema. */
export interface DocsObject {
  name: string;
  anchor: string;
  value: DocsValue;
}

/** A page of the reference: the operations of one tag. */
export interface DocsTopic {
  /** used in addresses, for example `incident-updates` */
  name: string;
  title: string;
  operations: readonly DocsOperation[];
  objects: readonly DocsObject[];
}

/** A topic in the navigation. */
export interface DocsTopicLink {
  name: string;
  title: string;
}

/** A folder of documents as the navigation shows it. */
export interface DocsFolder {
  /** `operate/runbooks`, in addresses */
  name: string;
  title: string;
  documents: readonly DocsTopicLink[];
  folders: readonly DocsFolder[];
}

export interface DocsSearchResult {
  /** a topic of the API, or a document: the name is its address below `/docs/` */
  topic: { name: string; title: string };
  anchor: string;
  title: string;
  /** null: the section is not an operation */
  call: { methods: readonly string[]; path: string } | null;
}

/** The data that all pages of the documentation share. Addresses are relative to the page. */
export interface DocsFrame {
  /** the relative address of the service's root: `./`, `../`, `../../` */
  root: string;
  topics: readonly DocsTopicLink[];
  folders: readonly DocsFolder[];
  /** whether there is a first page of the documents, at `docs/index` */
  hasIndex: boolean;
  stylesheets: readonly string[];
  scripts: readonly string[];
}

/** Returns the anchor of a shared object's section. */
export const objectAnchor = (name: string): string =>
  `object-${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;
