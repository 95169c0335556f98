/**
 * A Babel plugin that turns `import('zod')` in a script into a call of `module.importLater`, because the dynamic
 * imports of Node.js can't be restricted in another way. Where no `module` exists, as in functions that are passed to a
 * page, the import remains a dynamic import.
 */
/** The exports of `later-imports.cjs`: the plugin, with the path of its file. */
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
