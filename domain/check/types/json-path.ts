import { JSONPathEnvironment, jsonpath, type JSONPathQuery } from 'json-p3';

type Expression = jsonpath.expressions.FilterExpression;

/** Maximum length of a path in characters. */
export const MAX_JSON_PATH = 500;

/**
 * Maximum number of selectors per path that can select several values each. The limit bounds how often a path selects
 * the same value.
 */
const MAX_BRANCHES = 8;

const environment = new JSONPathEnvironment({ maxRecursionDepth: Number.MAX_SAFE_INTEGER });
// Remove these functions, because they evaluate regular expressions, which could block a runner forever.
environment.functionRegister.delete('match');
environment.functionRegister.delete('search');

/** Counts that determine how expensive a path is. */
interface Work {
  branches: number;
  descents: number;
  /**
   * whether a filter contains a query from the root (`$`) that selects several values; such a query would run again for
   * each filtered value
   */
  restarts: boolean;
}

const countQuery = (query: JSONPathQuery, work: Work): void => {
  for (const segment of query.segments) {
    const descends = segment.toString().startsWith('..');
    const [only] = segment.selectors;
    const single =
      segment.selectors.length === 1 &&
      (only instanceof jsonpath.selectors.NameSelector || only instanceof jsonpath.selectors.IndexSelector);
    if (descends) work.descents += 1;
    if (!single) work.branches += segment.selectors.length;
    for (const selector of segment.selectors)
      if (selector instanceof jsonpath.selectors.FilterSelector) countExpression(selector.expression, work);
  }
};

const countExpression = (expression: Expression, work: Work): void => {
  const { expressions } = jsonpath;
  if (expression instanceof expressions.LogicalExpression) countExpression(expression.expression, work);
  else if (expression instanceof expressions.PrefixExpression) countExpression(expression.right, work);
  else if (expression instanceof expressions.InfixExpression) {
    countExpression(expression.left, work);
    countExpression(expression.right, work);
  } else if (expression instanceof expressions.FunctionExtension)
    for (const argument of expression.args) countExpression(argument, work);
  else if (expression instanceof expressions.FilterQuery) {
    if (expression instanceof expressions.RootQuery && !expression.path.singularQuery()) work.restarts = true;
    countQuery(expression.path, work);
  }
};

/** A compiled path. It yields the values of a document that the path selects. */
export type JsonPath = (document: unknown) => Iterable<unknown>;

/**
 * Compiles a JSONPath (RFC 9535). Accepts only paths without `match()` and `search()` whose run time is linear in the
 * size of the document.
 *
 * @returns null if the text is not an accepted path
 */
export const jsonPathOf = (text: string): JsonPath | null => {
  if (text.length > MAX_JSON_PATH) return null;
  try {
    const query = environment.compile(text);
    const work: Work = { branches: 0, descents: 0, restarts: false };
    countQuery(query, work);
    if (work.branches > MAX_BRANCHES || work.descents > 1 || work.restarts) return null;
    return (document) => valuesOf(query, document);
  } catch {
    return null;
  }
};

function* valuesOf(query: JSONPathQuery, document: unknown): Iterable<unknown> {
  for (const { value } of query.lazyQuery(document as Parameters<JSONPathQuery['lazyQuery']>[0])) yield value;
}

/** The rule for paths in a definition. It is used as an error message and as a description. */
export const JSON_PATH_SENTENCE = `Must be a JSONPath (RFC 9535) of at most ${MAX_JSON_PATH} characters, without match() and search(), with at most one ".." and ${MAX_BRANCHES} selectors that may find several values, and none of these after a "$" in a filter.`;
