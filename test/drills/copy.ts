import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';

/** Files and folders that a drill does not need. */
const LEFT_OUT = /^(?:\.git|\.ci|node_modules|dist|build|coverage|bench|test\/e2e|test\/drills\/[^/]+\/added)$/;

/** Lines to insert into a file of the product. */
export interface Edit {
  file: string;
  /** `line` is inserted before the only line of the file that begins with `before`. */
  lines: readonly { before: string; line: string }[];
}

/** Returns the files that a drill adds, by their paths in the product. */
export const addedFiles = (drill: string): string[] =>
  readdirSync(join(PROJECT, drill, 'added'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(PROJECT, drill, 'added/').length))
    .sort();

/** Copies the project, adds the files of a drill, and applies its edits. */
export const copyWith = (drill: string, edits: readonly Edit[]): { folder: string; remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-drill-'));
  cpSync(PROJECT, folder, {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(source.slice(PROJECT.length)),
  });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(PROJECT, drill, 'added'), folder, { recursive: true });
  for (const edit of edits) writeFileSync(join(folder, edit.file), edited(join(folder, edit.file), edit));
  const { include, ...others } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')) as {
    include: string[];
  };
  const product = include.filter((name) => name !== 'test' && name !== 'bench');
  const specifications = addedFiles(drill).filter((file) => file.startsWith('test/'));
  const config = { ...others, include: [...product, ...specifications] };
  writeFileSync(join(folder, 'tsconfig.drill.json'), JSON.stringify(config));
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const edited = (path: string, { file, lines }: Edit): string =>
  lines.reduce(
    (text, { before, line }) => {
      const all = text.split('\n');
      const places = all.flatMap((one, index) => (one.startsWith(before) ? [index] : []));
      const [place, ...others] = places;
      if (place === undefined || others.length > 0)
        throw new Error(`"${before}" begins ${places.length} lines of ${file}.`);
      return [...all.slice(0, place), line, ...all.slice(place)].join('\n');
    },
    readFileSync(path, 'utf8'),
  );

/** Runs Node.js in a folder. @throws Error with the program's output, if it fails */
export const runNode = (folder: string, ...parameters: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${parameters.join(' ')} failed:\n${output}`));
    });
  });
