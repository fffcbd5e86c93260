// Validates a manifest against the schemas that Kubernetes publishes, as the npm package kubernetes-models has them:
//
//   npm install --no-save kubernetes-models js-yaml && node validate.mjs workers.yaml
//
// Types, formats and what must be there are checked; fields that no schema knows are not found.
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import * as yaml from 'js-yaml';

const require = createRequire(path.join(process.cwd(), 'validate.mjs'));
let code = 0;
for (const object of yaml.loadAll(fs.readFileSync(process.argv[2], 'utf8'))) {
    const Model = require(`kubernetes-models/${object.apiVersion}/${object.kind}`)[object.kind];
    try {
        new Model(object).validate();
        console.log(`${object.apiVersion} ${object.kind}: valid`);
    } catch (failure) {
        console.log(`${object.apiVersion} ${object.kind}: ${failure.message}`);
        code = 1;
    }
}
process.exit(code);
