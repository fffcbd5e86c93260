// Lays out what the site shows as a tree of Markdown pages: node assemble.mjs REPOSITORY PAGES
//
// The pages keep their places, so that links between them need no change. Sources that a page links to become pages of their own, other files are copied.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const [repository, pages] = process.argv.slice(2).map((folder) => path.resolve(folder))
const tracked = new Set(execFileSync('git', ['ls-files'], { cwd: repository, encoding: 'utf8' }).trim().split('\n'))
const folders = new Set([...tracked].flatMap((file) => ancestors(file)))
const documents = [...tracked].filter((file) => file.endsWith('.md'))
const LANGUAGES = { java: 'java', py: 'python', sh: 'sh', json: 'json', yaml: 'yaml', yml: 'yaml', xml: 'xml' }
const LINK = /(\]\(|<img[^>]* src="|srcset=")([^)\s"#:]+)(#[^)\s"]*)?([)"])/g

for (const document of documents) {
  write(pageOf(document), withLinks(document, read(document)))
}
write('docs/reference/cli.md', commandLine())
write('docs/reference/java.md', javaModules())
write('docs/reference/python.md', execFileSync('python3', [path.join(import.meta.dirname, 'reference.py'), path.join(repository, 'python/src/main/python')], { encoding: 'utf8' }))

function ancestors(file) {
  const all = []
  for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) all.push(folder)
  return all
}

function pageOf(document) {
  return document === 'README.md' ? 'index.md' : document
}

/** The document with links that lead to what the site has. */
function withLinks(document, text) {
  let fenced = false
  return text.split('\n').map((line) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    return fenced ? line : line.replace(LINK, (all, open, target, anchor = '', close) => open + place(document, target) + anchor + close)
  }).join('\n')
}

/** Where a link of `document` to `target` leads on the site; what it leads to is written on the way. */
function place(document, target) {
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(document), target)).replace(/\/$/, '')
  const from = path.posix.dirname(document)
  const relative = (page) => {
    const way = path.posix.relative(from, page)
    return way.startsWith('.') ? way : './' + way
  }
  if (file === 'README.md') return relative('index.md')
  if (documents.includes(file)) return target
  if (/\.(png|svg|jpg|json)$/.test(file) && tracked.has(file)) {
    const image = !file.endsWith('.json')
    copy(file, image ? file : path.posix.join('public', file))
    return image ? relative(file) : '/' + file
  }
  if (tracked.has(file)) {
    const page = file + '.md'
    write(page, '# ' + path.posix.basename(file) + '\n\n`' + file + '`\n\n' + fence(read(file), LANGUAGES[file.split('.').pop()] ?? 'text'))
    return relative(page)
  }
  if (folders.has(file)) {
    const page = path.posix.join(file, 'index.md')
    write(page, '# ' + file + '\n\n' + listing(file).map((entry) => '* ' + entry).join('\n') + '\n')
    return relative(page)
  }
  return target // the generator refuses it, and names the page
}

/** What a folder holds, documents with their titles. */
function listing(folder) {
  const entries = [...tracked].filter((file) => file.startsWith(folder + '/')).map((file) => file.slice(folder.length + 1))
  const names = [...new Set(entries.map((entry) => entry.split('/')[0]))].sort()
  return names.map((name) => {
    const file = folder + '/' + name
    return documents.includes(file) ? '[' + titleOf(read(file)) + '](./' + name + ')' : '`' + name + '`'
  })
}

function titleOf(text) {
  return /^# (.*)$/m.exec(text)?.[1] ?? 'untitled'
}

/** One page of what every command prints for `--help`. */
function commandLine() {
  const help = 'cli/src/main/help'
  const commands = listing(help).map((name) => name.slice(1, -5)).filter((name) => name !== 'version' && name !== 'jspdl')
  const section = (name, title) => '## ' + title + '\n\n' + fence(read(help + '/' + name + '.txt'), 'text')
  return '# The command line\n\nWhat each command prints for `--help`.\n\n' + section('jspdl', '`jspdl`')
    + commands.map((name) => section(name, '`jspdl ' + name + '`')).join('\n')
}

/** Where the Javadoc of each artifact is. */
function javaModules() {
  const javadoc = path.join(pages, 'public/javadoc')
  const artifacts = fs.existsSync(javadoc) ? fs.readdirSync(javadoc).sort() : []
  const lines = artifacts.map((artifact) => '* <a href="/javadoc/' + artifact + '/index.html" target="_self">' + artifact + '</a>')
  return '# The Java API\n\n' + (lines.length ? lines.join('\n') : 'This copy of the site was made without Javadoc.') + '\n'
}

function fence(text, language) {
  const marks = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((found) => found[0].length + 1)))
  return marks + language + '\n' + text.replace(/\n*$/, '\n') + marks + '\n'
}

function read(file) {
  return fs.readFileSync(path.join(repository, file), 'utf8')
}

function write(file, text) {
  const target = path.join(pages, file)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.writeFileSync(target, text)
}

function copy(file, to) {
  const target = path.join(pages, to)
  fs.mkdirSync(path.dirname(target), { recursive: true })
  fs.copyFileSync(path.join(repository, file), target)
}
