/**
 * Matches signed links to files in API responses: `https://example.com/v1/artifacts/x4w8b2h7t1zq?…`, or without the
 * host.
 */
const ARTIFACT = /^(?:https?:\/\/[^/?#]+)?(?:\/[^?#]*)?\/(v1\/artifacts\/[\w-]+\?[\w=&.%~-]+)$/;

/**
 * Returns the URL of a stored file at this console's service, even if the link names another host. The URL works
 * without an access token for a limited time.
 *
 * @param service the root of the service
 * @returns null if the link does not lead to a stored file; such links must not be loaded
 */
export const artifactAddress = (link: string, service: URL): string | null => {
  const [, path] = ARTIFACT.exec(link) ?? [];
  return path === undefined ? null : new URL(path, service).href;
};

/** How a file is displayed. Files of kind `other` can only be downloaded. */
export const kindOf = (contentType: string): 'picture' | 'video' | 'other' =>
  /^image\/(?:png|jpeg|gif|webp|avif)(?:;|$)/.test(contentType)
    ? 'picture'
    : /^video\/(?:mp4|webm)(?:;|$)/.test(contentType)
      ? 'video'
      : 'other';
