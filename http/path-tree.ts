/**
 * A value for a path with parameters in braces: `/v1/pages/{page_id}`. `{...rest}` at the end matches any further
 * segments, with the lowest precedence.
 */
interface Declared<T> {
  path: string;
  value: T;
}

/** The match of a requested path. */
export interface PathMatch<T> {
  value: T;
  /** decoded values of the parameters by name, in the order of the path */
  params: Record<string, string>;
}

interface Leaf<T> {
  path: string;
  value: T;
  /** names of the parameters and indexes of their segments */
  params: readonly (readonly [name: string, position: number])[];
}

interface Node<T> {
  fixed: Map<string, Node<T>>;
  /** the node after a parameter */
  param: Node<T> | null;
  /** matches any further segments, with the lowest precedence */
  rest: Leaf<T> | null;
  leaf: Leaf<T> | null;
}

const createNode = <T>(): Node<T> => ({ fixed: new Map(), param: null, rest: null, leaf: null });

/** The segments of a path without one trailing slash; `['']` for `/` and `//`. */
const segmentsOf = (path: string): string[] => {
  const segments = path.split('/');
  segments.shift();
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
};

const PARAMETER = /^\{(\w+)\}$/;
const REST = /^\{\.\.\.\w+\}$/;

/**
 * Matches requested paths segment by segment, like Express with case-sensitive paths: fixed segments are compared as
 * sent, a parameter is one non-empty segment, and one trailing slash is ignored. A fixed segment takes precedence over
 * a parameter at the same position.
 *
 * @returns matches the encoded path of a URL; null: no match. It throws a URIError if a parameter is not validly
 * encoded. The text of `{...rest}` is neither decoded nor a parameter.
 * @throws Error two declared paths are the same, or a parameter is only a part of a segment
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
