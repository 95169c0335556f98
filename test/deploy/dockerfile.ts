/** One instruction of a Dockerfile. Continued lines are joined. */
export interface Instruction {
  name: string;
  text: string;
}

/** A build stage: its base image or stage, and its instructions. */
export interface Stage {
  /** the name that `COPY --from` refers to; null if the stage has none */
  name: string | null;
  /** an image, or another stage */
  from: string;
  instructions: Instruction[];
}

/** Parses the subset of the Dockerfile syntax that our Dockerfile uses. */
export const stagesOf = (dockerfile: string): Stage[] => {
  const stages: Stage[] = [];
  const lines = dockerfile
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  for (const line of lines) {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    const text = rest.replaceAll(/\s+/g, ' ').trim();
    if (name === 'FROM') {
      stages.push({ name: / AS (\S+)$/.exec(text)?.[1] ?? null, from: text.split(' ')[0] ?? '', instructions: [] });
    } else stages.at(-1)?.instructions.push({ name, text });
  }
  return stages;
};

/**
 * Returns a stage with the instructions of its base stages, as one image.
 *
 * @param target name of the stage; by default the final stage
 */
export const builtFrom = (stages: readonly Stage[], target?: string): Stage => {
  const stage = target === undefined ? stages.at(-1) : stages.find(({ name }) => name === target);
  if (!stage) throw new Error(`The Dockerfile has no stage ${target ?? ''}.`);
  if (!stages.some(({ name }) => name === stage.from)) return stage;
  const { from, instructions } = builtFrom(stages, stage.from);
  return { name: stage.name, from, instructions: [...instructions, ...stage.instructions] };
};

/**
 * Returns the words of the last instruction with the given name. The instruction must be in JSON form, such as
 * `["node", "x.cjs"]`.
 */
export const wordsOf = ({ instructions }: Stage, name: string): string[] => {
  const text = instructions.findLast((instruction) => instruction.name === name)?.text ?? '[]';
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
};

/** Returns the variables that ENV sets. */
export const environmentOf = ({ instructions }: Stage): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => text.split(' ').map((pair) => pair.split('=') as [string, string])),
  );

/** Returns what each `COPY` copies. `from` is the stage; null if the files come from the project. */
export const copiesOf = ({ instructions }: Stage): { from: string | null; sources: string[]; to: string }[] =>
  instructions
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(' ');
      const from = words[0]?.startsWith('--from=') ? (words.shift()?.slice('--from='.length) ?? null) : null;
      return { from, sources: words.slice(0, -1), to: words.at(-1) ?? '.' };
    });

/**
 * Returns whether `.dockerignore` lets a path into the image. Our `.dockerignore` excludes everything, and then
 * includes some paths again.
 */
export const allowedBy =
  (dockerignore: string) =>
  (path: string): boolean => {
    const lines = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    if (lines[0] !== '*') throw new Error('.dockerignore does not begin with *');
    return lines.slice(1).some((line) => {
      if (!line.startsWith('!')) throw new Error(`.dockerignore has a line that is not supported here: ${line}`);
      return path === line.slice(1) || path.startsWith(`${line.slice(1)}/`);
    });
  };
