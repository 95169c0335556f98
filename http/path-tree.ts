/**
 * A value, and the path for which it is declared. The path may have parameters in braces: `/v1/pages/{page_id}`.
 * `{...rest}` at the end matches any further segments, and has the lowest precedence.
 */
interface Declared<T> {
  path: string;
  value: T;
}

/** The value that is declared for a requested path. */
export interface PathMatch<T> {
  value: T;
  /** decoded values of the parameters by name, in their order in the path */
  params: Record<string, string>;
}

interface Leaf<T> {
  path: string;
  value: T;
  /** names of the parameters and the indexes of their segments */
  params: readonly (readonly [name: string, position: number])[];
}

interface Node<T> {
  fixed: Map<string, Node<T>>;
  /** the node for paths with a parameter as their next segment */
  param: Node<T> | null;
  /** matches any further segments, with the lowest precedence */
  rest: Leaf<T> | null;
  leaf: Leaf<T> | null;
}

const createNode = <T>(): Node<T> => ({ fixed: new Map(), param: null, rest: null, leaf: null });

/** Splits a path into segments, and ignores one trailing slash. Returns `['']` for `/` and `//`. */
const segmentsOf = (path: string): string[] => {
  const segments = path.split('/');
  segments.shift();
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
};

const PARAMETER = /^\{(\w+)\}$/;
const REST = /^\{\.\.\.\w+\}$/;

/**
 * Creates a function that finds the declared path for a requested path. Like Express with case-sensitive routing, it
 * compares segment by segment. A fixed segment must equal the segment that was sent, and a parameter matches one
 * segment that is not empty. One trailing slash is ignored. A fixed segment takes precedence over a parameter at the
 * same position.
 *
 * @returns a function of the encoded path of a URL. It returns null if no path matches, and throws a URIError if a
 * parameter is not validly encoded. The text that `{...rest}` matches is not returned as a parameter.
 * @throws Error two declared paths are equal, or a parameter is only a part of a segment
 */
export const createPathTree = <T>(declared: readonly Declared<T>[]): ((path: string) => PathMatch<T> | null) => {
  const root = createNode<T>();
  for (const { path, value } of declared) {
    let node = root;
    const params: [string, number][] = [];
    let takesRest = false;
    for (const [position, segment] of segmentsOf(path).entries()) {
      const [, name] = PARAMETER.exec(segment) ?? [];
      if (name !== undefined) {
        params.push([name, position]);
        node = node.param ??= createNode();
        continue;
      }
      if (REST.test(segment) && position === segmentsOf(path).length - 1) {
        takesRest = true;
        break;
      }
      if (/[{}]/.test(segment)) throw new Error(`A parameter of ${path} is not a whole segment.`);
      const next = node.fixed.get(segment) ?? createNode();
      node.fixed.set(segment, next);
      node = next;
    }
    const kind = takesRest ? 'rest' : 'leaf';
    if (node[kind]) throw new Error(`${node[kind].path} and ${path} are the same path.`);
    node[kind] = { path, value, params };
  }
  return (path) => {
    if (!path.startsWith('/')) return null;
    const segments = segmentsOf(path);
    const leaf = leafBelow(root, segments, 0);
    if (!leaf) return null;
    const params: Record<string, string> = {};
    for (const [name, position] of leaf.params) params[name] = decoded(segments[position] ?? '');
    return { value: leaf.value, params };
  };
};

const leafBelow = <T>(
  { fixed, param, rest, leaf }: Node<T>,
  segments: readonly string[],
  position: number,
): Leaf<T> | null => {
  const segment = segments[position];
  if (segment === undefined) return leaf ?? rest;
  const next = fixed.get(segment);
  const found = next ? leafBelow(next, segments, position + 1) : null;
  if (found) return found;
  return (param && segment !== '' ? leafBelow(param, segments, position + 1) : null) ?? rest;
};

const decoded = (segment: string): string => (segment.includes('%') ? decodeURIComponent(segment) : segment);
