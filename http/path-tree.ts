/**
 * Something declared for a path: `/v1/pages/{page_id}`, parameters in braces. `{...rest}` at the end stands for whatever
 * follows, and is found only where nothing else is.
 */
interface Declared<T> {
  path: string;
  value: T;
}

/** What a requested path leads to. */
export interface Found<T> {
  value: T;
  /** the decoded values of the parameters, by name, in the order of the path */
  params: Record<string, string>;
}

interface Leaf<T> {
  path: string;
  value: T;
  /** names of the parameters, and the positions of their segments */
  params: readonly (readonly [name: string, position: number])[];
}

interface Node<T> {
  fixed: Map<string, Node<T>>;
  /** what follows a segment of any text */
  param: Node<T> | null;
  /** found where nothing else is, whatever segments follow */
  rest: Leaf<T> | null;
  leaf: Leaf<T> | null;
}

const createNode = <T>(): Node<T> => ({ fixed: new Map(), param: null, rest: null, leaf: null });

/** The segments of a path without its one trailing slash; those of `/` and `//` are `['']`. */
const segmentsOf = (path: string): string[] => {
  const segments = path.split('/');
  segments.shift();
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return segments;
};

const PARAMETER = /^\{(\w+)\}$/;
const REST = /^\{\.\.\.\w+\}$/;

/**
 * Finds what is declared for a requested path, segment by segment, as Express matches case-sensitive paths: fixed
 * segments are compared as they were sent, a parameter is one segment that is not empty, and one trailing slash means
 * nothing. A fixed segment has precedence over a parameter in the same place.
 *
 * @returns finds by the path of a URL, still encoded; null: nothing is declared. It throws a URIError where a parameter
 * is not validly encoded; the text of `{...rest}` is not decoded, and is no parameter.
 * @throws Error two of the declared paths are one, or a parameter is only a part of a segment
 */
export const createPathTree = <T>(declared: readonly Declared<T>[]): ((path: string) => Found<T> | null) => {
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
    const place = takesRest ? 'rest' : 'leaf';
    if (node[place]) throw new Error(`${node[place].path} and ${path} are one path.`);
    node[place] = { path, value, params };
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
