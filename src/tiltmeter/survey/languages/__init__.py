"""The languages of a form: their codes, the words of buttons and notes, and what a form lacks in each.

- `language_codes`: codes such as "pt-BR", the direction of writing, and which language a browser asks for.
- `interface_words`: what buttons and notes say; a form may say it otherwise.
- `words_file`: files with these words, to be translated.
- `form_languages`: what is missing or unread in each language of a form.
"""
