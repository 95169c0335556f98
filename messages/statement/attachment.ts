/**
 * Texts that mark the attached file in a PDF from `statementPdf`. PDF files from other programs may contain other
 * texts.
 */
const EMBEDDED = '/Type /EmbeddedFile';
const STREAM = '\nstream\n';

/** Whether a file is a PDF. */
export const isPdf = (file: Buffer): boolean => file.subarray(0, 5).toString('latin1') === '%PDF-';

/** Returns the file that is attached to the PDF of a statement; null if none is found. */
export const attachedStatement = (pdf: Buffer): Buffer | null => {
  const dictionary = pdf.indexOf(EMBEDDED, 0, 'latin1');
  const stream = dictionary === -1 ? -1 : pdf.indexOf(STREAM, dictionary, 'latin1');
  if (stream === -1) return null;
  const [, length] = /\/Length (\d+)/.exec(pdf.subarray(dictionary, stream).toString('latin1')) ?? [];
  const begin = stream + STREAM.length;
  return length === undefined ? null : pdf.subarray(begin, begin + Number(length));
};
