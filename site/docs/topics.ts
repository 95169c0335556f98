import { objectAnchor, type DocsField, type DocsOperation, type DocsTopic } from '../../views/docs/model.ts';
import { anchorOf, topicName } from './anchors.ts';
import { valueOf } from './fields.ts';
import type { OpenApi } from './openapi.ts';
import { declaredOperations, objectsIn, operationOf, type DeclaredOperation } from './operations.ts';

/** The source of the documentation. */
export interface DocsSource {
  /** the tags of the operations, in order */
  tags: readonly string[];
  /** returns the OpenAPI document with only the operations of a tag. It is much smaller than the complete document */
  document: (tag: string) => OpenApi;
}

/** Returns the content of a tag's page. @throws Error two operations have the same anchor */
export const topicOf = (title: string, document: OpenApi): DocsTopic => {
  const declared = declaredOperations(document);
  const operations = declared.map((one) => operationOf(one, anchorIn(document, one)));
  const names = objectsIn(
    declared.map(({ operation: { requestBody, responses } }) => [requestBody, responses]),
    document,
  );
  const objects = [...names].sort().map((name) => ({
    name,
    anchor: objectAnchor(name),
    value: valueOf(document.components.schemas[name] ?? {}),
  }));
  requireDistinct([...operations, ...objects].map(({ anchor }) => anchor));
  return { name: topicName(title), title, operations: withoutRepetition(operations), objects };
};

const anchorIn = ({ paths }: OpenApi, { methods: [method = ''], path }: DeclaredOperation): string =>
  anchorOf(method, path, paths[path]?.['get'] !== undefined);

const requireDistinct = (anchors: readonly string[]): void => {
  const twice = anchors.find((anchor, index) => anchors.indexOf(anchor) !== index);
  if (twice !== undefined)
    throw new Error(`Two operations have the anchor ${twice}: name one in site/docs/anchors.ts.`);
};

/**
 * Replaces repeated request bodies on a page. If a body has only optional fields, and an earlier operation has a body
 * with the same fields, the body is replaced by a reference to that operation.
 */
const withoutRepetition = (operations: readonly DocsOperation[]): DocsOperation[] => {
  const known = new Map<string, string>();
  return operations.map((operation) => {
    const { body, anchor } = operation;
    if (!body || body.value.fields.length < 4) return operation;
    const key = JSON.stringify([body.value.fields, body.value.variants].map(optional));
    const earlier = known.get(key);
    if (earlier === undefined) {
      known.set(key, anchor);
      return operation;
    }
    if (body.value.fields.some(({ required }) => required)) return operation;
    return { ...operation, body: { ...body, sameAs: earlier } };
  });
};

/**
 * Returns fields without `required` and `initial`. After that, the body for creating a resource and the body for
 * changing it have the same fields.
 */
const optional = (fields: readonly unknown[]): unknown[] =>
  (fields as readonly DocsField[]).map((field) => ({ ...field, required: false, initial: null }));
