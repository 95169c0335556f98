import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { incidents } from '../../../projections/incidents/projection.ts';
import { pages } from '../../../projections/pages/projection.ts';
import { PROJECT } from '../../project.ts';
import { HERE, type ProgramPlace } from '../program.ts';

/** A release by the header that it adds to its responses. This release adds none. */
export type Release = 'this' | 'next';
const HEADER = 'X-Release';

export const releaseOf = (headers: Headers): Release => (headers.get(HEADER) === 'next' ? 'next' : 'this');

/** Returns the name of an incident as a release shows it. The next one stores another text in its read model. */
export const shownBy = (release: Release, name: string): string => (release === 'next' ? `${name} [next]` : name);

export const VERSIONS = {
  incidents: { this: incidents.version, next: incidents.version + 1 },
  pages: { this: pages.version, next: pages.version + 1 },
};

/** Edits of compiled files that produce the next release: two new versions of read models, and one different document. */
const EDITS = [
  {
    file: 'projections/incidents/projection.js',
    from: `version: ${VERSIONS.incidents.this},`,
    to: `version: ${VERSIONS.incidents.next},`,
  },
  {
    file: 'projections/pages/projection.js',
    from: `version: ${VERSIONS.pages.this},`,
    to: `version: ${VERSIONS.pages.next},`,
  },
  {
    file: 'projections/incidents/incident-document.js',
    from: '    ...incident,\n',
    to: '    ...incident,\n    name: `${incident.name} [next]`,\n',
  },
  {
    file: 'http/response.js',
    from: 'const head = [...security,',
    to: `const head = [...security, "${HEADER}", "next",`,
  },
] as const;

/** Makes the next release in a folder: a copy of the compiled program with the edits. */
export const makeNextRelease = (folder: string): ProgramPlace => {
  const root = join(folder, 'next');
  mkdirSync(root);
  const bundled = join(PROJECT, 'dist', 'bundled');
  cpSync(join(PROJECT, 'dist'), join(root, 'dist'), { recursive: true, filter: (source) => source !== bundled });
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(PROJECT, name), join(root, name));
  for (const { file, from, to } of EDITS) {
    const path = join(root, 'dist', file);
    const text = readFileSync(path, 'utf8');
    assert.is(text.split(from).length, 2, `${file} has "${from}" once`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
  return { ...HERE, root };
};
