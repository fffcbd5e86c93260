import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'

const pages = path.resolve(import.meta.dirname, '../pages')

/** The pages of a folder by their titles. */
function section(text, folder, collapsed = false) {
  const files = fs.readdirSync(path.join(pages, folder)).filter((name) => name.endsWith('.md') && name !== 'index.md').sort()
  return { text, collapsed, items: files.map((name) => page(folder + '/' + name)) }
}

function page(file) {
  const title = /^# (.*)$/m.exec(fs.readFileSync(path.join(pages, file), 'utf8'))[1]
  return { text: title.replaceAll('`', ''), link: '/' + file.replace(/\.md$/, '') }
}

export default defineConfig({
  title: 'JSPDL',
  description: 'Scalable and performant data loading on the JVM',
  srcDir: 'pages',
  metaChunk: true,
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'First run', link: '/docs/tutorial/first-run' },
      { text: 'Gallery', link: '/docs/gallery' },
      { text: 'Comparison', link: '/docs/comparison' },
      { text: 'Measurements', link: '/docs/benchmarks' },
      { text: 'Java', link: '/docs/reference/java' },
      { text: 'Python', link: '/docs/reference/python' }
    ],
    sidebar: [
      section('Tutorial', 'docs/tutorial'),
      section('How to', 'docs/how-to'),
      section('Reference', 'docs/reference'),
      { text: 'How it works', items: ['ARCHITECTURE.md', 'CONCURRENCY.md', 'docs/gallery.md', 'docs/comparison.md', 'docs/benchmarks.md', 'docs/evidence.md', 'docs/campaigns.md'].map(page) },
      section('Decisions', 'docs/design', true),
      { text: 'Project', collapsed: true, items: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'THIRD-PARTY.md'].map(page) }
    ]
  }
})
