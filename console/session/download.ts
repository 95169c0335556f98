import { plainRequest } from './plain-request.ts';

/**
 * Downloads the response of an API URL as a file.
 *
 * @param path path below the service's root, with the query: `v1/audit?format=csv`
 * @param accept media type of the file
 * @throws Failure
 */
export const download = async (path: string, accept: string, name: string): Promise<void> => {
  const answer = await plainRequest(path, { accept });
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
};
