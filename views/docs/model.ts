/**
 * The data of the documentation's pages. site/docs/ reads it from the OpenAPI document and the documents of the
 * package.
 */

/** A field of a request or response body, or a parameter. */
export interface DocsField {
  name: string;
  /** the type in words: `list of strings`, `time or null` */
  type: string;
  /** name of the shared object that the value is or contains; null: none. The object has a section of its own */
  object: string | null;
  required: boolean;
  /** description; text between backticks is code */
  text: string | null;
  /** constraints on values */
  rules: readonly string[];
  /** default value as JSON; null: none */
  initial: string | null;
  /** all possible values, as JSON without the quotes of strings; empty: the values are not limited */
  values: readonly string[];
  /** fields of the object, or of the items of the list */
  fields: readonly DocsField[];
  /** kinds of objects that the value can be; empty: there is only one kind */
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
  /** media types of the body; empty: there is no body */
  types: readonly string[];
  value: DocsValue | null;
}

/** The code of an example request in one language. */
export interface DocsSample {
  /** `curl` */
  language: string;
  code: string;
}

/**
 * Who is allowed to call an operation: keys and sessions with certain roles, signed-in users, holders of a signed link,
 * or anybody.
 */
export type DocsAccess =
  | { kind: 'roles'; roles: readonly string[] }
  | { kind: 'session'; roles: readonly string[] }
  | { kind: 'link' }
  | { kind: 'anybody'; key: boolean };

export interface DocsOperation {
  /** anchor of the section: `create-incident`. It never changes, because other sites link to it */
  anchor: string;
  /** HTTP methods in upper case; all of them have the same effect */
  methods: readonly string[];
  path: string;
  title: string;
  /** one sentence */
  summary: string;
  access: DocsAccess;
  idempotencyKey: 'optional' | 'required' | null;
  pathParameters: readonly DocsField[];
  queryParameters: readonly DocsField[];
  /**
   * `sameAs`: anchor of an operation with the same fields. If it is set, the page links to that operation instead of
   * showing `value`, and all fields are optional in this operation.
   */
  body: { types: readonly string[]; required: boolean; value: DocsValue; sameAs: string | null } | null;
  responses: readonly DocsResponse[];
  /** status codes of errors */
  errors: readonly number[];
  samples: readonly DocsSample[];
  /** example response, as indented JSON; null: the response is not JSON */
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
  /** name in URLs, for example `incident-updates` */
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

/** A folder of documents in the navigation. */
export interface DocsFolder {
  /** name in URLs: `operate/runbooks` */
  name: string;
  title: string;
  documents: readonly DocsTopicLink[];
  folders: readonly DocsFolder[];
}

export interface DocsSearchResult {
  /** a topic of the API, or a document; `name` is the path below `/docs/` */
  topic: { name: string; title: string };
  anchor: string;
  title: string;
  /** method and path of the operation; null: the section is not about an operation */
  call: { methods: readonly string[]; path: string } | null;
}

/** The data that all pages of the documentation share. Addresses are relative to the page. */
export interface DocsFrame {
  /** the relative address of the service's root: `./`, `../`, `../../` */
  root: string;
  topics: readonly DocsTopicLink[];
  folders: readonly DocsFolder[];
  /** whether the documents have an index page, at `docs/index` */
  hasIndex: boolean;
  stylesheets: readonly string[];
  scripts: readonly string[];
}

/** Returns the anchor of a shared object's section. */
export const objectAnchor = (name: string): string =>
  `object-${name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}`;
