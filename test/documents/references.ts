import { dirname, extname, join, normalize } from 'node:path';
import { exists, FILES, FOLDERS, textOf } from './files.ts';
import { anchorsOf, codeSpansOf, headingsOf, withoutCode } from './markdown.ts';

/*
 * Finds broken references to files of the project. These count as references:
 *
 * - in a comment, a document or a text of the product: the name of a Markdown file, optionally with an anchor
 *   (`docs/develop/style.md#comments`) or a section (`docs/develop/style.md: Comments`)
 * - in a comment: the name of a module (`markdown.ts`, `documents/markdown.ts`), and a path that begins with a folder
 *   of the root and ends in a slash or an extension (`commands/engine/`)
 * - in a document, in backquotes: the name of a module, and any path that begins with a folder of the root
 *   (`commands/engine/handle`)
 *
 * Names with placeholders (`domain/<note>/events.ts`, `stores/*`, `x.ts`) do not count.
 *
 * In code, the path of a document must be relative to the root. In a comment, the name of a module can be relative to
 * the folder of the file, to the folder of the product that a test mirrors, or to any folder above these. In a
 * document, the name of a module can be the end of a path.
 */

/** Matches names that look like files of the project but are local files or paths of URLs. */
const NO_FILES = /(?:^|\/)(?:\.env|x\.\w+)$|^api\/v2\b/;

/** Extensions of languages whose comments begin with slashes. */
const SLASHES = ['.ts', '.tsx', '.cts', '.mts', '.mjs', '.cjs', '.js', '.css'];
/** Extensions of languages whose comments begin with a hash. */
const HASHES = ['.sh', '.yaml', '.yml', '.py', '.service', '.conf', '.env'];
const HASHED_FILES = /(?:^|\/)(?:Dockerfile[^/]*|\.ci\/run|\.dockerignore)$/;

const isSlashed = (path: string): boolean => SLASHES.includes(extname(path));
const isHashed = (path: string): boolean => HASHES.includes(extname(path)) || HASHED_FILES.test(path);

/**
 * Files whose comments are checked. The files that a drill adds are left out, because their comments refer to paths in
 * the drill's copy of the project.
 */
export const COMMENTED: readonly string[] = FILES.filter(
  (path) => (isSlashed(path) || isHashed(path)) && !/^test\/drills\/[^/]+\/added\//.test(path),
);

/** Returns the comments of a file. Comments on consecutive lines are joined into one text. */
export const commentsOf = (path: string, text: string): string[] => {
  const line = isHashed(path) ? /(?:^|[ \t])#[ \t](.*)$/ : /(?:^|[\s;,{([])\/\/[ \t](.*)$/;
  const blocks = isHashed(path)
    ? []
    : [...text.matchAll(/(?:^[ \t]*|\{)\/\*([^]*?)\*\//gm)].map(([, block = '']) => block);
  const comments = blocks.map((block) => block.replace(/\n[ \t]*\*? ?/g, ' '));
  let before = -2;
  for (const [index, row] of text.split('\n').entries()) {
    const [, comment] = line.exec(row) ?? [];
    if (comment === undefined) continue;
    if (before === index - 1) comments.push(`${comments.pop() ?? ''} ${comment}`);
    else comments.push(comment);
    before = index;
  }
  return comments;
};

/** Characters that, next to a name, show that the name is part of a URL, a package or a placeholder. */
const NOT_BEFORE = String.raw`(?<![\w@/.:$~<>{}*…-])`;
const NOT_AFTER = String.raw`(?![\w<{*…]|/[\w<{*…]|\.[\w<{*…])`;
const STEPS = String.raw`(?:\.{1,2}/)*(?:[\w-][\w.-]*/)*`;

const DOCUMENT = new RegExp(
  `${NOT_BEFORE}(${STEPS}[\\w-][\\w.-]*\\.md)(?:#([\\w-]+))?(?:: ([A-Z][^).;,:]*))?${NOT_AFTER}`,
  'g',
);
const MODULE = new RegExp(`${NOT_BEFORE}(${STEPS}[\\w-][\\w.-]*\\.(?:ts|tsx|cts|mjs|cjs))${NOT_AFTER}`, 'g');
const IN_FOLDER = new RegExp(
  `${NOT_BEFORE}((?:${[...FOLDERS].join('|')})/${STEPS}(?:[\\w-][\\w.-]*\\.(?:json|sh|yaml|txt|css|service))?)${NOT_AFTER}`,
  'g',
);

const matches = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([name]) => name);

/** Returns the folders that a name in a file may be relative to, from the folder of the file up to the root. */
const basesOf = (path: string): string[] => {
  const bases: string[] = [];
  for (const start of [dirname(path), dirname(path).replace(/^test\//, '')])
    for (let folder = start; ; folder = dirname(folder)) {
      bases.push(folder);
      if (folder === '.') break;
    }
  return bases;
};

/** Returns whether a source file, or the source of a compiled file, has this name relative to one of these folders. */
const isFound = (bases: readonly string[], name: string): boolean =>
  NO_FILES.test(name) ||
  bases.some((base) => exists(join(base, name)) || exists(join(base, name.replace(/\.cjs$/, '.cts'))));

/**
 * Returns the path of the document that a file refers to, or null if there is none. The name is relative to the root;
 * in a document, it can also be relative to the folder of that document.
 */
const documentAt = (path: string, name: string): string | null =>
  ['', ...(path.endsWith('.md') ? [dirname(path)] : [])]
    .map((base) => normalize(join(base, name)))
    .find((candidate) => exists(candidate)) ?? null;

/** Returns why a reference such as `docs/develop/style.md#comments` is broken, or null if it is valid. */
const wrongDocument = (path: string, reference: string): string | null => {
  const [, name = '', anchor, section] = new RegExp(DOCUMENT.source).exec(reference) ?? [];
  const found = documentAt(path, name);
  if (found === null) return `${reference}: there is no such document`;
  const text = textOf(found);
  if (anchor !== undefined && !anchorsOf(text).has(anchor)) return `${reference}: it has no such heading`;
  const isSection = section === undefined || headingsOf(text).some((heading) => section.startsWith(heading));
  return isSection ? null : `${reference}: it has no such section`;
};

const wrongPath = (path: string, name: string): string | null =>
  isFound(basesOf(path), name) ? null : `${name}: there is no such file`;

const isString = (wrong: string | null): wrong is string => wrong !== null;

/**
 * Returns the broken references in the comments of a file and, unless the file is a test, those to documents in its
 * strings.
 */
export const brokenInCode = (path: string, text: string): string[] => {
  const comments = commentsOf(path, text);
  const documents = path.startsWith('test/') ? comments : [...comments, ...stringsOf(text)];
  const broken = [
    ...documents.flatMap((part) => matches(DOCUMENT, part)).map((name) => wrongDocument(path, name)),
    ...comments
      .flatMap((part) => [...matches(MODULE, part), ...matches(IN_FOLDER, part)])
      .map((name) => wrongPath(path, name)),
  ].filter(isString);
  return [...new Set(broken)];
};

/** Returns the quoted strings that name a document. */
const stringsOf = (text: string): string[] =>
  [...text.matchAll(/(['"`])((?:(?!\1)[^\n\\]|\\.)*\.md\b(?:(?!\1)[^\n\\]|\\.)*)\1/g)].map(
    ([, , content = '']) => content,
  );

/** Returns the broken references in a document. Its links are not checked here. */
export const brokenInDocument = (path: string, text: string): string[] => {
  const spans = codeSpansOf(text).filter((span) => !/\s/.test(span));
  const named = spans.filter((span) => FOLDERS.has(span.split('/')[0] ?? '') && /^[\w./-]+\/[\w./-]*$/.test(span));
  const documents = [
    ...spans,
    withoutCode(text)
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/\[[^\]]*\]/g, ''),
  ];
  const broken = [
    ...documents.flatMap((part) => matches(DOCUMENT, part)).map((name) => wrongDocument(path, name)),
    ...spans
      .flatMap((span) => matches(MODULE, span))
      .filter((name) => !NO_FILES.test(name) && !FILES.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name) => `${name}: there is no such file`),
    ...named
      .filter((name) => !NO_FILES.test(name) && !exists(name) && !exists(`${name}.ts`))
      .map((name) => `${name}: there is no such file or folder`),
  ].filter(isString);
  return [...new Set(broken)];
};
