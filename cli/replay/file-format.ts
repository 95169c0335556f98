import { OperatorError } from '../../service/operator-error.ts';

/** The formats of files with replayed events. They are the endings of the file names. */
const FILE_FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Returns the format that the ending of a file name selects. @throws OperatorError */
export const formatOf = (file: string): FileFormat => {
  const format = FILE_FORMATS.find((ending) => file.endsWith(`.${ending}`));
  if (format) return format;
  const endings = FILE_FORMATS.map((ending) => `.${ending}`).join(', ');
  throw new OperatorError(`The name "${file}" does not select a format. Use one of the endings ${endings}.`);
};
