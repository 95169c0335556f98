import type { ReactorDefinition } from '../reactors/engine/define.ts';

const HEAD = `# Reactors

Made by \`npm run generate\` from \`reactors/index.ts\`. A reactor does what happens by itself: it works off lists, which read models keep, and looks at them when they are written, or when the earliest item is due ([architecture.md](architecture.md#reactors)). \`uptrail reactors\` shows how far each is; [operations.md](operations.md#when-automatic-actions-fail) says what to do about what it could not do.

| reactor | what it does | its lists | of what was there before it |
| --- | --- | --- | --- |`;

const code = (text: string): string => `\`${text}\``;

const listsOf = ({ follows }: ReactorDefinition): string =>
  follows
    .map(({ projection, collections }) => `${code(projection.name)}: ${collections.map(code).join(', ')}`)
    .join('; ');

/** `docs/reactors.md`: all reactors, by name. */
export const reactorsDocument = (reactors: readonly ReactorDefinition[]): string => {
  const rows = [...reactors]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((reactor) => [
      code(reactor.name),
      reactor.does,
      listsOf(reactor),
      reactor.countsEarlier ? 'everything' : 'nothing',
    ]);
  return `${[HEAD, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')}\n`;
};
