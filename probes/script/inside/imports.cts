/** Controls which modules a script can import, and what the imports return. */
const Module = require('node:module') as typeof import('node:module');
const path = require('node:path') as typeof import('node:path');
const { mayImport } = require('./modules.cjs') as import('./modules.cts').ModulesModule;

/** The exports of `imports.cjs`. */
export interface ImportsModule {
  /**
   * Checks the imports of a file.
   *
   * @param file path of the script; imports of other files are not checked
   * @param modules the folder from which packages are resolved
   * @param replaced substitutes for some packages, by name
   */
  guardImports: (file: string, modules: string, replaced: ReadonlyMap<string, unknown>) => void;
}

type Load = (request: string, parent: { filename?: string | null } | undefined, isMain: boolean) => unknown;

const guardImports: ImportsModule['guardImports'] = (file, modules, replaced) => {
  const loader = Module as unknown as { _load: Load };
  const load = loader._load;
  const from = Module.createRequire(path.join(modules, 'node_modules', 'script.js'));
  loader._load = (request, parent, isMain) => {
    if (parent?.filename !== file) return load(request, parent, isMain);
    if (replaced.has(request)) return replaced.get(request);
    const refusal = mayImport(request);
    if (refusal !== null) throw new Error(refusal);
    return from(request) as unknown;
  };
};

module.exports = { guardImports } satisfies ImportsModule;
