/**
 * From where runners can connect to the service's URL. `nowhere`: the URL is a plain http URL of another machine, which
 * runners refuse.
 */
export type Reach = 'everywhere' | 'this machine' | 'nowhere';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export const reachOf = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): Reach =>
  LOOPBACK.test(hostname) ? 'this machine' : protocol === 'https:' ? 'everywhere' : 'nowhere';

/** Quotes a text as one word of a shell. */
const quoted = (text: string): string =>
  /^[\w:/.~%-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The Docker command without its variables. Must be the same as in docs/operate/runners.md. */
const DOCKER =
  'docker run -d --restart unless-stopped --stop-timeout 15 --read-only --tmpfs /tmp --cap-drop ALL ' +
  "--sysctl net.ipv4.ping_group_range='1000 1000' -e UPTRAIL_RUNNER_TOKEN -v uptrail-runner:/data";

/**
 * Returns the commands that start a runner in bash or zsh. They prompt for the token without echoing it, and pass it as
 * an environment variable. So the token is neither in the shell history nor in the process list.
 *
 * @param service the root of the service
 */
export const startCommands = (service: URL): { npx: string; docker: string } => {
  const server = quoted(service.href.replace(/\/$/, ''));
  const read = "printf 'Token: ' && read -rs UPTRAIL_RUNNER_TOKEN && export UPTRAIL_RUNNER_TOKEN";
  return {
    npx: `${read} && npx uptrail run --server ${server}`,
    docker: `${read} && ${DOCKER} uptrail run --server ${server}`,
  };
};
