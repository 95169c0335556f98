/**
 * A plugin of Babel: `import('zod')` in a script asks `module.importLater`, since nothing else tells Node.js's own import
 * what may be imported. A function that is handed to a page imports there as it would.
 */
/** What `require('./later-imports.cjs')` gives: the plugin, and where it is found. */
export type LaterImportsModule = ((babel: { types: Types }) => object) & { file: string };

interface Path {
  node: { callee: { type: string }; arguments: unknown[] };
  replaceWith: (node: unknown) => void;
  skip: () => void;
}

interface Types {
  identifier: (name: string) => unknown;
  stringLiteral: (text: string) => unknown;
  unaryExpression: (operator: 'typeof', argument: unknown) => unknown;
  binaryExpression: (operator: '===', left: unknown, right: unknown) => unknown;
  memberExpression: (object: unknown, property: unknown) => unknown;
  callExpression: (callee: unknown, given: unknown[]) => unknown;
  conditionalExpression: (test: unknown, consequent: unknown, alternate: unknown) => unknown;
}

const plugin = ({ types }: { types: Types }): object => ({
  name: 'later-imports',
  visitor: {
    CallExpression: (path: Path) => {
      if (path.node.callee.type !== 'Import') return;
      const module = types.identifier('module');
      const isHere = types.binaryExpression(
        '===',
        types.unaryExpression('typeof', module),
        types.stringLiteral('object'),
      );
      const later = types.callExpression(
        types.memberExpression(module, types.identifier('importLater')),
        path.node.arguments,
      );
      path.replaceWith(types.conditionalExpression(isHere, later, path.node));
      path.skip();
    },
  },
});

module.exports = Object.assign(plugin, { file: __filename }) satisfies LaterImportsModule;
