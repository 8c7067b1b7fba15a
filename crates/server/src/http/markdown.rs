//! Renderer of book pages: Markdown to HTML fragments.

use std::collections::HashMap;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Renders a page without its title, as a fragment below a heading of level 2. Headings get the ids
/// that links of the page use, scrollable elements are focusable by keyboard, and raw HTML is
/// escaped.
pub(super) fn fragment(page: &str) -> String {
    let events: Vec<_> = Parser::new_ext(page, Options::ENABLE_TABLES).collect();
    let is_end_of_heading = |event: &Event<'_>| matches!(event, Event::End(TagEnd::Heading(_)));
    let begin = events.iter().position(is_end_of_heading).map_or(0, |at| at + 1);
    let (mut heading, mut ids) = (String::new(), HashMap::new());
    let mut adapted = Vec::with_capacity(events.len());
    for (at, event) in events.iter().enumerate().skip(begin) {
        match event.clone() {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                heading = id_of(&events[at..], &mut ids);
                let id = Some(heading.clone().into());
                adapted.push(Event::Start(Tag::Heading {
                    level: below(level),
                    id,
                    classes,
                    attrs,
                }));
            }
            Event::End(TagEnd::Heading(level)) => {
                adapted.push(Event::End(TagEnd::Heading(below(level))));
            }
            Event::Start(table @ Tag::Table(_)) => {
                let label = match heading.as_str() {
                    "" => String::new(),
                    id => format!(" role=\"group\" aria-labelledby=\"{id}\""),
                };
                let open = format!("<div class=\"scroll\" tabindex=\"0\"{label}>");
                adapted.extend([Event::Html(open.into()), Event::Start(table)]);
            }
            Event::End(TagEnd::Table) => {
                adapted.extend([Event::End(TagEnd::Table), Event::Html("</div>\n".into())]);
            }
            Event::Start(Tag::CodeBlock(_)) => {
                adapted.push(Event::Html("<pre class=\"text\" tabindex=\"0\">".into()));
            }
            Event::End(TagEnd::CodeBlock) => adapted.push(Event::Html("</pre>\n".into())),
            Event::Html(raw) | Event::InlineHtml(raw) => adapted.push(Event::Text(raw)),
            event => adapted.push(event),
        }
    }
    let mut out = String::with_capacity(2 * page.len());
    html::push_html(&mut out, adapted.into_iter());
    out
}

/// Id of the heading that begins here, as in the book: letters, digits and hyphens, with a number
/// if another heading has the same text.
fn id_of(events: &[Event<'_>], ids: &mut HashMap<String, u32>) -> String {
    let inside = events.iter();
    let inside = inside.take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
    let texts = inside.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
        _ => None,
    });
    let text: String = texts.collect();
    let kept = text.chars().filter(|&c| c.is_alphanumeric() || "-_ ".contains(c));
    let id: String =
        kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
    let before = ids.entry(id.clone()).or_insert(0);
    *before += 1;
    if *before == 1 { id } else { format!("{id}-{}", *before - 1) }
}

/// Level of a heading in a fragment, in which the title had level 2.
fn below(level: HeadingLevel) -> HeadingLevel {
    HeadingLevel::try_from(level as usize + 1).unwrap_or(HeadingLevel::H6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_book_is_a_fragment() {
        let page = "# Title\n\nSee [moves](#the-move-text).\n\n## The `move` text\n\n| a | b |\n|---|---|\n\
                    | `x<y` | <b>z</b> |\n\n```text\nmove 4 <&>\n```\n";
        insta::assert_snapshot!(fragment(page), @r##"
        <p>See <a href="#the-move-text">moves</a>.</p>
        <h3 id="the-move-text">The <code>move</code> text</h3>
        <div class="scroll" tabindex="0" role="group" aria-labelledby="the-move-text"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>
        <tr><td><code>x&lt;y</code></td><td>&lt;b&gt;z&lt;/b&gt;</td></tr>
        </tbody></table>
        </div>
        <pre class="text" tabindex="0">move 4 &lt;&amp;&gt;
        </pre>
        "##);
    }

    #[test]
    fn every_link_within_the_protocol_leads_to_a_heading() {
        leads_to_headings(include_str!("../../../../protocol.md"));
        leads_to_headings(include_str!("../../../../docs/fr/protocole.md"));
    }

    /// Id as a link encodes it.
    fn encoded(id: &str) -> String {
        let byte = |byte: u8| match byte {
            ..0x80 => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        };
        id.bytes().map(byte).collect()
    }

    fn leads_to_headings(page: &str) {
        let html = fragment(page);
        let links: Vec<_> =
            html.split("href=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
        assert!(links.len() > 5, "{links:?}");
        for link in links {
            let id = link.strip_prefix('#').expect("a link within the page");
            let is_there = html.split("id=\"").skip(1).filter_map(|it| it.split('"').next());
            assert!(is_there.map(encoded).any(|known| known == id), "{link}");
        }
    }
}
