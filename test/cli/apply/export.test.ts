import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runExportConfig } from '../../../cli/apply/commands.ts';
import { escapeVariables, replaceVariables } from '../../../cli/configuration/placeholders.ts';
import { parseYaml } from '../../../cli/configuration/yaml-files.ts';
import { escapedLines, outputTo } from '../../../service/output.ts';
import { fakeService, storedAs } from './fake-service.ts';

const test = suite('exported configurations');

/** Returns what `export-config` writes to a terminal or to another program. */
const exported = async (client: Parameters<typeof runExportConfig>[0], isTTY: boolean): Promise<string> => {
  const parts: string[] = [];
  const stream = new Writable({
    write: (part, _, done) => {
      parts.push(String(part));
      done();
    },
  });
  await runExportConfig(client, {}, outputTo(Object.assign(stream, { isTTY })));
  return parts.join('');
};

const TEXTS = [
  'a\tb',
  'a\n\tb\n',
  '👩\u200d💻',
  'a\u2028b\u00ad',
  '\u200ea\n\u200cb \n \n',
  'a "\\u0009"\t',
  '\ufeffa\u{e0001}',
  'last\n\n\n',
];

test('texts with unseen characters and line feeds at their ends survive an export to a file and to a terminal', async () => {
  const templates = TEXTS.map((body, n) =>
    storedAs(String(n), { name: `T${n}`, page_id: null, kind: 'incident', components: {}, body }),
  );
  const { client } = fakeService({ '/v1/incident-templates': templates });
  for (const isTTY of [false, true]) {
    const text = await exported(client, isTTY);
    const [document] = parseYaml(text, 'uptrail.yaml');
    const { incident_templates } = document?.value as { incident_templates: { body: string }[] };
    assert.equal(
      incident_templates.map(({ body }) => body),
      TEXTS,
    );
    assert.is(escapedLines(text) === text, isTTY);
  }
});

test('each text with parts of a placeholder is the same after it was escaped and read', () => {
  const parts = ['$', '{', '}', '${env:', '${env:A}', 'env:', 'x'];
  let texts = [''];
  for (let length = 0; length < 4; length++) {
    texts = texts.flatMap((text) => [text, ...parts.map((part) => text + part)]);
    for (const text of texts) assert.is(replaceVariables(escapeVariables(text), { A: '1' }).value, text);
  }
});

test.run();
