import { escaped } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';

/** The path of a value in a configuration: `['checks', 3, 'url']`. */
export type Path = readonly (string | number)[];

/** Something that is wrong at a path. */
export interface Problem {
  path: Path;
  sentence: string;
  /** whether an object of the service with the same key has another type, so that another name would help */
  isTypeConflict?: boolean;
}

/** Returns where a value of a configuration comes from, such as `uptrail.yaml:12`; null if it comes from no file. */
export type Locate = (path: Path) => string | null;

/** Formats a path: `checks[3].parameters.regions`. */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );

const MAX_PROBLEMS = 50;

/** A configuration is invalid. The message has a line for each problem. */
export class InvalidConfiguration extends OperatorError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], locate: Locate = () => null) {
    const lines = problems.slice(0, MAX_PROBLEMS).map(({ path, sentence }) => {
      const parts = [locate(path), path.length === 0 ? null : pathText(path), sentence];
      return escaped(parts.filter((part) => part !== null).join(': '));
    });
    const others = problems.length - lines.length;
    super([...lines, ...(others > 0 ? [`${others} more problems are not shown.`] : [])].join('\n'));
    this.problems = problems;
  }
}
