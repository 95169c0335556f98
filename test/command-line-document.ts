import type { Command } from 'commander';
import { createProgram } from '../cli/program.ts';
import { outputTo } from '../service/output.ts';

/** Returns a Markdown list of the options of a command, with their descriptions. */
const optionsOf = (command: Command): string[] =>
  command.options
    .filter(({ hidden }) => !hidden)
    .map((option) => {
      const notes = [
        ...(option.mandatory ? ['required'] : []),
        // Switches that are off by default, and options without a default, get no note.
        ...(option.defaultValue === undefined || option.defaultValue === false
          ? []
          : [`default: ${option.defaultValueDescription ?? JSON.stringify(option.defaultValue)}`]),
      ];
      return `- \`${option.flags}\`: ${option.description}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
    });

/**
 * Returns whether a command can be called on its own although it has subcommands, such as `uptrail queue`. Commander
 * has no public API for this.
 */
const isCallable = (command: Command): boolean =>
  (command as unknown as { _actionHandler?: unknown })._actionHandler != null;

const sectionsOf = (command: Command, parents: readonly string[]): string[] => {
  const names = [...parents, command.name()];
  const parameters = command.registeredArguments.map((argument) => {
    const text = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${text}>` : `[${text}]`;
  });
  const options = optionsOf(command);
  const own =
    `${parents.length === 1 ? '##' : '###'} ${names.join(' ')}\n\n` +
    (isCallable(command) && parameters.length > 0 ? `\`${[...names, ...parameters].join(' ')}\`\n\n` : '') +
    `${sentence(command.description())}\n` +
    (options.length > 0 ? `\n${options.join('\n')}\n` : '');
  return [own, ...command.commands.flatMap((below) => sectionsOf(below, names))];
};

/** Returns the sections of docs/operate/command-line.md: one for each command, in alphabetical order. */
export const commandSections = (): string => {
  const program = createProgram({}, outputTo(process.stdout), () => undefined);
  return [...program.commands]
    .sort((one, other) => (one.name() < other.name() ? -1 : 1))
    .flatMap((command) => sectionsOf(command, [program.name()]))
    .join('\n');
};

/** Converts a description of a command into a Markdown sentence. Placeholders such as `{id}` become code. */
const sentence = (text: string): string => {
  const marked = text.replace(/[^\s,;:()]*\{[^\s,;:()]*/g, (word) => `\`${word}\``);
  return `${marked.charAt(0).toUpperCase()}${marked.slice(1)}${/[.!?]$/.test(marked) ? '' : '.'}`;
};
